import { counted } from '@meridian/settings/command-line';

import type { RecordedUse, RecordedUsage } from '../read/usage-file.ts';

/** Usage, seen through the window of days that the rules ask for. */
export interface UsageWindow {
  /** True where what has no use in it is unused. */
  readonly isSufficient: boolean;
  /** The reason, as a sentence without its full stop. */
  readonly reason: string;
  readonly isInWindow: (use: RecordedUse) => boolean;
}

const dayMs = 86_400_000;
/** An export that is older says too little about the last days. */
const maxAgeDays = 7;

/** @param unread the manifests that are not files of the repository: their operations only usage knows */
export function usageWindow(
  usage: RecordedUsage | undefined,
  days: number,
  today: Date,
  unread: readonly string[] = [],
): UsageWindow {
  const window = windowOf(usage, days, today);
  return window.isSufficient || unread.length === 0
    ? window
    : { ...window, reason: `${window.reason}, and no file of the repository is at ${unread.join(', ')}` };
}

function windowOf(usage: RecordedUsage | undefined, days: number, today: Date): UsageWindow {
  if (usage === undefined) {
    return { isSufficient: false, reason: 'no usage is at hand', isInWindow: () => false };
  }
  const ageDays = Math.floor((today.getTime() - Date.parse(usage.exportedAt)) / dayMs);
  const firstDay = new Date(today.getTime() - days * dayMs).toISOString().slice(0, 10);
  const isInWindow = ({ lastDay }: RecordedUse): boolean => lastDay > firstDay;
  const reach = Math.min(usage.recordedDays, usage.days);
  if (!(ageDays <= maxAgeDays)) {
    return {
      isSufficient: false,
      reason: `the usage was exported ${counted(ageDays, 'day')} ago`,
      isInWindow,
    };
  }
  return reach < days
    ? {
        isSufficient: false,
        reason: `usage reaches back ${reach} of the ${counted(days, 'day')} that the rules ask for`,
        isInWindow,
      }
    : { isSufficient: true, reason: `usage of ${counted(days, 'day')}`, isInWindow };
}
