// Splits a bill between people.

/**
 * How much each person pays, in cents, the first person first.
 * @param {number} total cents, a whole number
 * @param {number} people at least one
 * @returns {number[]}
 */
export function splitBill(total, people) {
  const share = Math.floor(total / people);
  return Array.from({ length: people }, () => share);
}
