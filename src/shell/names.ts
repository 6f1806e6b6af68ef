// Values by name at one point of a text. A name has the same number throughout a walk, so a copy or a comparison is a pass over a
// plain array.

/** The numbers of names, shared by all points of one text. */
export class Numbering {
  private numbers: Map<string, number> | null = null;

  /** -1 if this name never had a value. */
  find(name: string): number {
    return this.numbers?.get(name) ?? -1;
  }

  /** The number of a name. A new name gets a new number. */
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

/** Values by the number of their name. */
export class Names<T> {
  private readonly slots: (T | undefined)[];
  /** Number of values. */
  size: number;

  constructor(slots: (T | undefined)[] = [], size = 0) {
    this.slots = slots;
    this.size = size;
  }

  /** One more than the highest number in use. */
  get end(): number {
    return this.slots.length;
  }

  get(number: number): T | undefined {
    return number < 0 || number >= this.slots.length ? undefined : this.slots[number];
  }

  set(number: number, value: T): void {
    const { slots } = this;
    // Without holes, because they would make the whole array slow.
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
