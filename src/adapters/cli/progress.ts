// What takes a while says so, on a terminal alone: what is done, how far, and how long already. In a pipe it says nothing.

export interface Progress {
  /** So many of so many are done. */
  at(done: number, of: number): void;
  /** Takes away what was said. */
  end(): undefined;
}

/** The terminal that it is said on. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Milliseconds: what is done sooner says nothing, and nothing is said more often. */
const beat = 400;
const usualWidth = 80;

const silent: Progress = { at: () => undefined, end: () => undefined };

/**
 * Says on stderr what takes more than a moment. A dumb terminal, which cannot take a line back, is told once and nothing more. There are
 * no colours in it.
 */
export function showProgress(
  what: string,
  { screen = process.stderr as Screen, env = process.env, clock = Date.now } = {},
): Progress {
  if (screen.isTTY !== true) return silent;
  const isDumb = env.TERM === 'dumb';
  const begun = clock();
  let shown: number | null = null;
  let far = '';
  const show = (): void => {
    if (isDumb && shown === null) screen.write(`${what} …\n`);
    shown = clock();
    if (isDumb) return;
    const seconds = Math.floor((shown - begun) / 1_000);
    const text = `${what} …${far}${seconds > 0 ? ` (${seconds} s)` : ''}`;
    screen.write(`\r${text.slice(0, (screen.columns || usualWidth) - 1)}\x1b[K`);
  };
  // Goes on while a child works, and keeps no process alive.
  const timer = setInterval(show, beat).unref();
  return {
    at(done, of) {
      far = of > 1 ? ` ${done} of ${of}` : '';
      if (clock() - (shown ?? begun) >= beat) show();
    },
    end() {
      clearInterval(timer);
      if (shown !== null && !isDumb) screen.write('\r\x1b[K');
    },
  };
}
