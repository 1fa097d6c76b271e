import type { Member } from '@meridian/local-stack/apps';
import { parse } from 'yaml';

import { insertAfter, keysAt, removeEntry } from './yaml-entries.ts';
import type { MapPath } from './yaml-entries.ts';

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

interface YamlList<Listed extends Member> extends Pick<
  Registration<Listed>,
  'file' | 'otherwise' | 'takes' | 'linesOf'
> {
  readonly path: MapPath;
  /** The app that a key is of; undefined for a key that is not an app's. Default: the key. */
  readonly nameOf?: (key: string) => string | undefined;
  readonly keyOf?: (name: string) => string;
  /** The difference of an entry from the app.yaml. Default: none. */
  readonly faultOf?: (entry: unknown, app: Listed) => string | undefined;
}

/** A map of a YAML file with an entry for each app. */
export function yamlRegistration<Listed extends Member>({
  path,
  nameOf = (key) => key,
  keyOf = (name) => name,
  faultOf = () => undefined,
  ...list
}: YamlList<Listed>): Registration<Listed> {
  const namesIn = (text: string): string[] => keysAt(text, path).flatMap((key) => nameOf(key) ?? []);
  return {
    ...list,
    place: path.join('.'),
    namesIn,
    faultOf(text, app) {
      const key = keyOf(app.name);
      const entry = path.reduce<unknown>(memberOf, parse(text, { merge: true }));
      const fault = faultOf(memberOf(entry, key), app);
      return fault === undefined ? undefined : `${[...path, key].join('.')} ${fault}`;
    },
    add(text, app) {
      const last = namesIn(text).at(-1);
      if (last === undefined) {
        throw new Error(`${list.file}: ${path.join('.')} has no entry to add another behind`);
      }
      return insertAfter(text, path, keyOf(last), list.linesOf(app));
    },
    remove: (text, name) => removeEntry(text, path, keyOf(name)),
  };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
