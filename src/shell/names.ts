// What names stand for at one point of a text. Throughout a walk a name is a number, so that to copy or to compare all that is known is
// to go through plain slots.

/** The numbers of names, shared by every point of one text. */
export class Numbering {
  private numbers: Map<string, number> | null = null;

  /** -1 when nothing of that name was ever known. */
  find(name: string): number {
    return this.numbers?.get(name) ?? -1;
  }

  /** The number of a name, a new one when it has none. */
  give(name: string): number {
    this.numbers ??= new Map();
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(name, number);
    }
    return number;
  }
}

/** What is known by the number of its name. */
export class Names<T> {
  private readonly slots: (T | undefined)[];
  /** How many are known. */
  size: number;

  constructor(slots: (T | undefined)[] = [], size = 0) {
    this.slots = slots;
    this.size = size;
  }

  /** Above every number that is known. */
  get end(): number {
    return this.slots.length;
  }

  get(number: number): T | undefined {
    return number < 0 || number >= this.slots.length ? undefined : this.slots[number];
  }

  set(number: number, value: T): void {
    const { slots } = this;
    // Without a hole, which would make all of it slow.
    while (slots.length <= number) slots.push(undefined);
    if (slots[number] === undefined) this.size++;
    slots[number] = value;
  }

  delete(number: number): void {
    if (this.get(number) === undefined) return;
    this.slots[number] = undefined;
    this.size--;
  }

  copy(): Names<T> {
    return new Names(this.slots.slice(), this.size);
  }
}
