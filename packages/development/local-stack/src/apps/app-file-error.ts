import { CommandError } from '@meridian/settings/command-line';

/** Files of apps that cannot be read, or do not fit together: a line for each fault. */
export class AppFileError extends CommandError {
  override readonly name = 'AppFileError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
