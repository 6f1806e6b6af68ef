// Prepares configurations for tests without a time limit: a busy machine compiles slowly.
import { prepare as prepareInTime } from '../../src/engine/prepare.ts';
import type { Prepare } from '../../src/engine/prepared.ts';
import { PATIENT_MS } from '../../src/policy/compiler/compiler.ts';

export const prepare: Prepare = (content, build) => prepareInTime(content, { ...build, compileMs: PATIENT_MS });
