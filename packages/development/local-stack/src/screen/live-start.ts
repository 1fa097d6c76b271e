import { createLiveRegion } from './live-region.ts';
import type { ScreenEntry, StartView } from './start-view.ts';
import { statusRow } from './status-row.ts';
import { waiting } from './status.ts';
import type { Status } from './status.ts';
import { styleFor } from './style.ts';
import type { Output } from './style.ts';

const turnEveryMs = 100;
const turning = ['◐', '◓', '◑', '◒'];
const marks = { waiting: '○', busy: '◐', good: '●', bad: '●' } as const;

/** Shows the start as a table that is updated in place. */
export function createLiveStart(terminal: Output, entries: readonly ScreenEntry[]): StartView {
  const region = createLiveRegion(terminal);
  const style = styleFor(terminal);
  const statuses = new Map<string, Status>(entries.map(({ name }) => [name, waiting]));
  let turn = 0;
  const draw = (): void => {
    const rows = entries.map(({ name, address }) => {
      const status = statuses.get(name) ?? waiting;
      const mark =
        (status.mood === 'busy' ? turning[turn % turning.length] : undefined) ?? marks[status.mood];
      return statusRow({ name, address, status, mark }, { style, width: terminal.columns ?? 80 });
    });
    region.draw(['', `  ${style('bold', 'Meridian')} is starting`, '', ...rows, '']);
    turn += 1;
  };
  const turns = setInterval(draw, turnEveryMs);
  draw();

  return {
    show(name, status) {
      statuses.set(name, status);
      draw();
    },
    end() {
      clearInterval(turns);
      region.clear();
    },
  };
}
