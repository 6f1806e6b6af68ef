// Configurations made ready for tests: a compilation may take as long as a machine with much else to do needs.
import { prepare as prepareInTime } from '../../src/decide/prepare.ts';
import type { Prepare } from '../../src/decide/prepared.ts';
import { PATIENT_MS } from '../../src/rego/compiler.ts';

export const prepare: Prepare = (content, build) => prepareInTime(content, { ...build, compileMs: PATIENT_MS });
