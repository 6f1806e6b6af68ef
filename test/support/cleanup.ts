// Cleanup after tests, last created first: a process ends before its folder is removed.
const acts: (() => unknown)[] = [];
const lasting: (() => unknown)[] = [];

/** Done when the test that runs, or whose hooks run, has ended. */
export function afterTest(act: () => unknown): void {
  acts.push(act);
}

/** Makes what several tests use: what it leaves behind is removed when their file has ended. */
export async function forFile<T>(make: () => T | Promise<T>): Promise<T> {
  const before = acts.length;
  try {
    return await make();
  } finally {
    lasting.push(...acts.splice(before));
  }
}

export async function cleanUp(): Promise<void> {
  for (const act of acts.splice(0).reverse()) await act();
}

export async function cleanUpFile(): Promise<void> {
  for (const act of lasting.splice(0).reverse()) await act();
}
