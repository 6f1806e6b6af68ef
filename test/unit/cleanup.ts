// What tests leave behind is removed after each, the latest first: a process ends before its folder goes.
const acts: (() => unknown)[] = [];

/** Done when the test that runs, or whose hooks run, has ended. */
export function afterTest(act: () => unknown): void {
  acts.push(act);
}

export async function cleanUp(): Promise<void> {
  for (const act of acts.splice(0).reverse()) await act();
}
