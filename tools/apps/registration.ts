import type { App } from '@meridian/apps';

/** A list of apps in a file that others read as it is: Rover, Docker, GitHub, the gateway. */
export interface Registration {
  readonly file: string;
  /** The list within the file, for messages. */
  readonly place: string;
  /** The consequence of a missing entry, as the end of a sentence. */
  readonly otherwise: string;
  /** True for an app that has to be in the list. */
  readonly takes: (app: App) => boolean;
  /** The names of the apps in the list. */
  readonly namesIn: (text: string) => readonly string[];
  /** The lines of an app's entry. */
  readonly linesOf: (app: App) => readonly string[];
  /** The difference of an app's entry from its app.yaml, as a sentence; undefined for none. */
  readonly faultOf: (text: string, app: App) => string | undefined;
  /** Adds an app after the last one in the list. */
  readonly add: (text: string, app: App) => string;
  /** @throws {Error} when the entry has to be removed by hand */
  readonly remove: (text: string, name: string) => string;
}
