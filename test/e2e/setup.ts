// Before all: the pinned client and tmux are there, or the run says what is missing.
import { installClient } from './client.ts';
import { requireTmux } from './pane.ts';

export default function setup(): void {
  requireTmux();
  installClient();
}
