// Checks that a line of the log has the shape that its readers rely on. A disk error or another writer may have left something
// else.
const decisions: ReadonlySet<unknown> = new Set(['deny', 'ask', 'allow', 'pass']);

type Holds = (value: unknown) => boolean;

const isText: Holds = (value) => typeof value === 'string';
const matches =
  (form: RegExp): Holds =>
  (value) =>
    typeof value === 'string' && form.test(value);
const isNumber: Holds = (value) => typeof value === 'number';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const orAbsent =
  (holds: Holds): Holds =>
  (value) =>
    value === undefined || holds(value);
const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every(holds);
const fields =
  (shape: Readonly<Record<string, Holds>>): Holds =>
  (value) =>
    isObject(value) && Object.entries(shape).every(([name, holds]) => holds(value[name]));

const valuesOf =
  (holds: Holds): Holds =>
  (value) =>
    isObject(value) && Object.values(value).every(holds);
const isTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

const rule = fields({
  effect: isText,
  text: isText,
  matched: orAbsent(isText),
  source: fields({ file: isText, line: isNumber }),
  note: orAbsent(isText),
});

/** Fields that older versions did not write may be absent. */
export const isLogged = fields({
  decision_id: matches(/^[\w-]+$/),
  timestamp: (value) => isTime(value) && !Number.isNaN(Date.parse(value as string)),
  labels: valuesOf(isText),
  bundles: valuesOf(fields({ revision: isText })),
  input: isObject,
  requested_by: orAbsent(isText),
  result: fields({
    decision: (value) => decisions.has(value),
    mode: (value) => value === null || value === undefined || isText(value),
    tool: isText,
    by: isText,
    rules: listOf(rule),
    also: orAbsent(listOf(rule)),
    policies: orAbsent(listOf(fields({ name: isText, effect: orAbsent(isText), file: isText, line: isNumber, reason: isText }))),
    protections: orAbsent(listOf(fields({ name: isText, on: isText }))),
    reason: isText,
    remedy: isText,
    advice: orAbsent(isText),
    grants: orAbsent(listOf(fields({ id: isText }))),
    took_us: orAbsent(isNumber),
  }),
});
