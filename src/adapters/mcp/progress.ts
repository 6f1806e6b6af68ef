// A request that takes long: whether the client still waits for it, and its progress messages.
import type { Running } from '../../workflow/engine.ts';

interface Waiting {
  signal: AbortSignal;
  sendNotification(notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; total: number; message: string };
  }): Promise<void>;
}

/** Only a client that gave a progress token receives progress messages. */
export function runningOf(token: string | number | undefined, { signal, sendNotification }: Waiting): Running {
  if (token === undefined) return { signal };
  return {
    signal,
    progress(seconds, limit, message) {
      const params = { progressToken: token, progress: seconds, total: limit, message };
      sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) => {
        process.stderr.write(`modes: progress is not told: ${String((error as Error).message ?? error)}\n`);
      });
    },
  };
}
