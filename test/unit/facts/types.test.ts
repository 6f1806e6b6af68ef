// The types of accesses admit no combination that no call has. The compiler checks these tests.
import { expectTypeOf, test } from 'vitest';
import type { HowRead, HowWritten } from '../../../src/model/command.ts';
import type { AccessExtent, PathProtection, ReadAccess, WriteAccess } from '../../../src/model/facts.ts';

test('a path that is accessed alone has no unchecked names below', () => {
  expectTypeOf<{ deep: true; below: []; unseen: true }>().toExtend<AccessExtent>();
  expectTypeOf<{ deep: false; below: []; unseen: true }>().not.toExtend<AccessExtent>();
});

test('a read has no protection, and a write is of a known file', () => {
  expectTypeOf<ReadAccess['protection']>().toEqualTypeOf<null>();
  expectTypeOf<ReadAccess & { unknown: true }>().not.toEqualTypeOf<never>();
  expectTypeOf<{ unknown: true }>().not.toExtend<Pick<WriteAccess, 'unknown'>>();
});

test("the session's own files have no protection", () => {
  expectTypeOf<Extract<WriteAccess, { own: string }>['protection']>().toEqualTypeOf<null>();
});

test('only an ask can be non-overridable', () => {
  expectTypeOf<{ name: string; remedy: string; effect: 'ask'; firm: true }>().toExtend<PathProtection>();
  expectTypeOf<Extract<PathProtection, { effect: 'deny' }>>().not.toHaveProperty('firm');
});

test('only what lies below a folder is reached through links', () => {
  expectTypeOf<Extract<HowRead, { extent?: 'one' }>>().not.toHaveProperty('follows');
});

test('a change of an entry leaves no old content untouched, and leads no link to it', () => {
  expectTypeOf<{ what: 'entry'; old: 'kept' }>().toExtend<HowWritten>();
  expectTypeOf<{ what: 'entry'; old: 'untouched' }>().not.toExtend<HowWritten>();
  expectTypeOf<{ what: 'entry'; links: { name: string; text: string } }>().not.toExtend<HowWritten>();
});
