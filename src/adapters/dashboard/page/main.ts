// The script of the page: sends requests to its server and shows the answers. Text is inserted as text, never as HTML. Only the
// picture is HTML, and the server draws it.
import type { Row, RuleRow } from '../decisions.ts';
import type { PageState } from '../state.ts';

const token = takeToken();
const maxRows = 200;
let state: PageState | null = null;
let rules: RuleRow[] = [];
/** Number of the latest request: an older answer that arrives later is dropped. */
let latestRequest = 0;

function at<T extends Element = HTMLElement>(selector: string): T {
  return document.querySelector<T>(selector) as T;
}

/** The token follows `#` in the address. It is kept only for reloads of this tab. */
function takeToken(): string {
  const given = location.hash.slice(1);
  if (/^[\w-]{43}$/.test(given)) {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('token') ?? '';
}

async function ask(path: string): Promise<Response> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok)
    throw new Error(response.status === 403 ? 'Open the address that modes dashboard printed.' : `${response.status}`);
  return response;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = '', className = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

function showState(next: PageState): void {
  const isOther = state?.mode !== next.mode;
  state = next;
  document.title = `${next.mode ?? '?'} · ${next.name}`;
  at('#project').textContent = next.name;
  at('#project').title = `${next.root}\n${next.trusted ? 'trusted' : 'not trusted'}: ${next.hash}`;
  if (isOther || at('#mode').textContent === '…')
    at('#mode').replaceChildren(
      'Mode ',
      element('strong', next.mode ?? 'not known'),
      next.task === null ? '' : ` · task ${next.task}`,
    );
  const wrong = [
    ...(next.trouble === null ? [] : [next.trouble]),
    ...next.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ place, code, message, remedy }) => `${place} ${code} ${message} ${remedy}`),
    ...(next.trusted
      ? []
      : [`Not trusted: allow rules of this project have no effect. Review and approve it with modes trust: ${next.hash}`]),
    ...(next.log === '' ? [] : [next.log]),
  ];
  at('#notices').replaceChildren(...wrong.map((text) => element('p', text)));
  at('#notices').hidden = wrong.length === 0;
  // Our own server builds this from escaped texts, and scripts in it would not run.
  at('#machine').innerHTML = next.svg ?? '';
  at('#machine').setAttribute('aria-label', next.words);
  fitMachine(isOther);
  showGates(next);
  showPlan(next);
  fillModes(next);
}

/** Shrinks a large machine only as long as it stays readable; the page scrolls to the rest. */
function fitMachine(isOther: boolean): void {
  const picture = document.querySelector<SVGSVGElement>('#machine svg');
  if (picture === null) return;
  picture.style.minWidth = `${0.75 * picture.width.baseVal.value}px`;
  const now = picture.querySelector('.now')?.getBoundingClientRect();
  if (!isOther || now === undefined) return;
  const frame = at('#machine');
  const { left, top, width, height } = frame.getBoundingClientRect();
  frame.scrollBy(now.left + now.width / 2 - left - width / 2, now.top + now.height / 2 - top - height / 2);
}

/** The time for today, date and time for any other day. */
function timeOf(at: string): string {
  const [time, today] = [new Date(at), new Date()];
  return time.toDateString() === today.toDateString()
    ? time.toLocaleTimeString()
    : time.toLocaleString([], { dateStyle: 'short', timeStyle: 'medium' });
}

function testList(tests: readonly { title: string; holds: boolean }[]): HTMLElement {
  const list = document.createElement('ul');
  for (const { title, holds } of tests) list.append(element('li', title, holds ? 'met' : 'unmet'));
  return list;
}

function showGates({ gates, mode }: PageState): void {
  const parts = gates.flatMap(({ to, conditions }) => {
    const done = conditions.filter(({ holds }) => holds).length;
    const label = element('label', `${mode} → ${to}: ${done} of ${conditions.length} `);
    const bar = document.createElement('progress');
    bar.max = conditions.length;
    bar.value = done;
    label.append(bar);
    const list = document.createElement('ul');
    for (const { check, holds, missing, how, tests } of conditions) {
      const item = element('li', '', holds ? 'met' : 'unmet');
      item.append(element('code', check), element('span', holds ? ' holds' : ' does not hold', 'soft'));
      if (missing !== null) item.append(element('p', `${missing}. ${how ?? ''}`, 'soft'));
      if (tests.length > 0) item.append(testList(tests));
      list.append(item);
    }
    return [label, list];
  });
  at('#gates').replaceChildren(...(parts.length === 0 ? [element('p', 'No checks and no approval.', 'soft')] : parts));
}

function showPlan({ plan }: PageState): void {
  if (plan === null) {
    at('#plan').replaceChildren(element('p', 'No plan is open.', 'soft'));
    return;
  }
  const list = document.createElement('ul');
  for (const { text, done } of plan.items) {
    const item = element('li', text, done ? 'met' : '');
    if (done) item.append(element('span', ' done', 'soft'));
    list.append(item);
  }
  at('#plan').replaceChildren(element('p', `${plan.title || 'Plan'} (${plan.approved ? 'approved' : 'not approved'})`), list);
}

function fillModes({ machine }: PageState): void {
  const select = at<HTMLSelectElement>('#in');
  const names = (machine?.states ?? []).map(({ name }) => name);
  if (
    [...select.options]
      .slice(1)
      .map(({ value }) => value)
      .join('\n') === names.join('\n')
  )
    return;
  const chosen = select.value;
  select.replaceChildren(new Option('all', ''), ...names.map((name) => new Option(name, name)));
  select.value = names.includes(chosen) ? chosen : '';
}

function rowFor(row: Row): HTMLTableRowElement {
  const made = document.createElement('tr');
  made.dataset.id = row.id;
  const time = element('td', timeOf(row.at), 'time');
  time.title = row.at;
  const call = element('td', '', 'long');
  const why = element('button', `${row.tool} ${row.about}`.trim());
  why.type = 'button';
  why.setAttribute('aria-haspopup', 'dialog');
  why.addEventListener('click', () => void explain(row.id));
  call.append(why);
  const by = element('td', '', 'long');
  by.append(element('span', row.rule, 'rule'), row.place === '' ? '' : element('span', ` ${row.place}`, 'soft'));
  by.title = row.reason;
  made.append(time, element('td', row.decision, row.decision), element('td', row.mode), call, by);
  return made;
}

function filter(): { text: string; decision: string; mode: string } {
  return {
    text: at<HTMLInputElement>('#text').value,
    decision: at<HTMLSelectElement>('#decision').value,
    mode: at<HTMLSelectElement>('#in').value,
  };
}

async function showDecisions(): Promise<void> {
  const mine = ++latestRequest;
  const response = await ask(`/api/decisions?${new URLSearchParams(filter())}`);
  const { rows, more, damaged } = (await response.json()) as { rows: Row[]; more: boolean; damaged: number };
  if (mine !== latestRequest) return;
  const body = at('#decisions tbody');
  const wanted = new Set(rows.map(({ id }) => id));
  for (const old of [...body.children]) if (!wanted.has((old as HTMLElement).dataset.id ?? '')) old.remove();
  // Rows that stay are not touched, so a person's selection in them is kept. Both lists have the newest row first.
  let next = body.firstElementChild as HTMLElement | null;
  for (const row of rows) {
    if (next?.dataset.id === row.id) next = next.nextElementSibling as HTMLElement | null;
    else body.insertBefore(rowFor(row), next);
  }
  count(more, damaged);
}

function count(more: boolean, damaged = 0): void {
  const shown = document.querySelectorAll('#decisions tbody tr').length;
  at('#count').textContent =
    shown === 0
      ? 'No such decision.'
      : `${more ? 'The newest ' : ''}${shown} ${shown === 1 ? 'decision' : 'decisions'}${damaged > 0 ? `; ${damaged} lines cannot be read` : ''}`;
}

function showNew(row: Row): void {
  const { text, decision, mode } = filter();
  const line = Object.values(row).join(' ').toLowerCase();
  const isMeant =
    (decision === '' || decision === row.decision) &&
    (mode === '' || mode === row.mode) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => line.includes(word));
  const body = at('#decisions tbody');
  if (!isMeant || body.querySelector(`tr[data-id="${CSS.escape(row.id)}"]`) !== null) return;
  const made = rowFor(row);
  made.classList.add('fresh');
  body.prepend(made);
  const isFull = body.children.length > maxRows;
  if (isFull) body.lastElementChild?.remove();
  count(isFull);
}

async function explain(id: string): Promise<void> {
  const shown = (await (await ask(`/api/explain?${new URLSearchParams({ id })}`)).json()) as { text: string } | null;
  at('#explanation-text').textContent = shown === null ? 'This decision is no longer in the log.' : shown.text;
  at<HTMLDialogElement>('#explanation').showModal();
  at('#explanation-text').focus();
}

async function loadRules(): Promise<void> {
  rules = (await (await ask('/api/rules')).json()) as RuleRow[];
  showRules();
}

function showRules(): void {
  const only = at<HTMLInputElement>('#silent').checked;
  const silent = rules.filter(({ fired }) => fired === 0).length;
  at('#coverage').textContent = `${rules.length - silent} of ${rules.length} rules matched a logged call; ${silent} did not.`;
  const rows = rules
    .filter(({ fired }) => !only || fired === 0)
    .map(({ mode, effect, text, place, fired, last }) => {
      const row = document.createElement('tr');
      const times = fired === 0 ? 'never' : String(fired);
      row.append(element('td', mode), element('td', effect, effect), element('td', text, 'rule'), element('td', place, 'soft'));
      row.append(element('td', times, fired === 0 ? 'soft' : ''), element('td', last === null ? '' : timeOf(last), 'soft time'));
      return row;
    });
  at('#rules tbody').replaceChildren(...rows);
}

/** Reads new events, and reconnects when the connection is lost. */
async function listen(): Promise<never> {
  let pause = 500;
  for (;;) {
    try {
      const response = await ask('/api/stream');
      at('#link').textContent = '';
      pause = 500;
      await Promise.all([showDecisions(), loadRules()]);
      await readLines(response, (line) => {
        const { kind, value } = JSON.parse(line) as { kind: 'state'; value: PageState } | { kind: 'decision'; value: Row };
        if (kind === 'state') showState(value);
        else {
          showNew(value);
          rulesLater();
        }
      });
      at('#link').textContent = 'The dashboard has ended. Run modes dashboard again.';
    } catch (error) {
      at('#link').textContent =
        error instanceof TypeError ? 'The dashboard does not answer. Trying again.' : (error as Error).message;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 10_000);
  }
}

async function readLines(response: Response, take: (line: string) => void): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
}

let isDue = false;
/** Rules are counted over the complete log, which is too slow to do after every decision. */
function rulesLater(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void loadRules();
  }, 2_000);
}

let typing: ReturnType<typeof setTimeout> | undefined;
at('#filter').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => void showDecisions(), 150);
});
at('#filter').addEventListener('submit', (event) => event.preventDefault());
at('#silent').addEventListener('change', showRules);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  at('#text').focus();
});
void listen();
