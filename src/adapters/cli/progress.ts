// Progress messages for slow operations, only on a terminal: what is being done, how far it is, and how long it has taken. In a
// pipe nothing is printed.

export interface Progress {
  /** Reports that `done` of `of` parts are done. */
  at(done: number, of: number): void;
  /** Removes the message. */
  end(): undefined;
}

/** The terminal for the messages. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Milliseconds: delay before the first message, and minimum time between two messages. */
const beat = 400;
const usualWidth = 80;

const silent: Progress = { at: () => undefined, end: () => undefined };

/**
 * Reports on stderr an operation that takes more than a moment. A dumb terminal cannot erase a line, so it gets only one message.
 * The messages have no colors.
 */
export function showProgress(
  what: string,
  { screen = process.stderr as Screen, env = process.env, clock = Date.now } = {},
): Progress {
  if (screen.isTTY !== true) return silent;
  const isDumb = env.TERM === 'dumb';
  const startedAt = clock();
  let shown: number | null = null;
  let far = '';
  const show = (): void => {
    if (isDumb && shown === null) screen.write(`${what} …\n`);
    shown = clock();
    if (isDumb) return;
    const seconds = Math.floor((shown - startedAt) / 1_000);
    const text = `${what} …${far}${seconds > 0 ? ` (${seconds} s)` : ''}`;
    screen.write(`\r${text.slice(0, (screen.columns || usualWidth) - 1)}\x1b[K`);
  };
  // Also runs while a child process works, and keeps no process alive.
  const timer = setInterval(show, beat).unref();
  return {
    at(done, of) {
      far = of > 1 ? ` ${done} of ${of}` : '';
      if (clock() - (shown ?? startedAt) >= beat) show();
    },
    end() {
      clearInterval(timer);
      if (shown !== null && !isDumb) screen.write('\r\x1b[K');
    },
  };
}
