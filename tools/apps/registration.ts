import type { Member } from '@meridian/local-stack/apps';

/**
 * A list of apps in a file that others read as it is: Rover, Docker, GitHub, the gateway. Its functions are called with
 * the apps that it takes.
 */
export interface Registration<Listed extends Member = Member> {
  readonly file: string;
  /** The list within the file, for messages. */
  readonly place: string;
  /** The consequence of a missing entry, as the end of a sentence. */
  readonly otherwise: string;
  /** True for an app that has to be in the list. */
  takes(app: Member): app is Listed;
  /** The names of the apps in the list. */
  readonly namesIn: (text: string) => readonly string[];
  /** The lines of an app's entry. */
  linesOf(app: Listed): readonly string[];
  /** The difference of an app's entry from its app.yaml, as a sentence; undefined for none. */
  faultOf(text: string, app: Listed): string | undefined;
  /** Adds an app after the last one in the list. */
  add(text: string, app: Listed): string;
  /** @throws {Error} when the entry has to be removed by hand */
  readonly remove: (text: string, name: string) => string;
}
