import { printable } from '@meridian/settings/values';

/** The name of a member, or the index of an item. */
export type PathPart = string | number;

/** The place of a value in the file, and the list of its faults. */
export class Place {
  readonly path: readonly PathPart[];
  readonly #faults: string[];
  readonly #writtenAs: ReadonlyMap<string, string>;
  readonly #faultyPaths: (readonly PathPart[])[];

  /**
   * `writtenAs` has the paths that the author wrote differently, so that messages name the path in the file.
   * `faultyPaths` receives the path of each fault.
   */
  constructor(
    faults: string[],
    path: readonly PathPart[] = [],
    writtenAs: ReadonlyMap<string, string> = new Map(),
    faultyPaths: (readonly PathPart[])[] = [],
  ) {
    this.#faults = faults;
    this.path = path;
    this.#writtenAs = writtenAs;
    this.#faultyPaths = faultyPaths;
  }

  /** The place of a member or of an item. */
  at(key: PathPart): Place {
    return new Place(this.#faults, [...this.path, key], this.#writtenAs, this.#faultyPaths);
  }

  /** Its path, as the author wrote it. */
  get written(): string {
    for (let length = this.path.length; length > 0; length -= 1) {
      const written = this.#writtenAs.get(showPath(this.path.slice(0, length)));
      if (written !== undefined) {
        return showPath(this.path.slice(length), written);
      }
    }
    return showPath(this.path);
  }

  /** Reports a fault. The message completes a sentence that starts with the path. */
  fault(message: string): void {
    this.#faults.push(`${this.written}: ${message}`);
    this.#faultyPaths.push(this.path);
  }

  /** Reports a value of a wrong type. The file may hold secrets, so the text is never shown. */
  faultOfType(value: unknown, takes: string): void {
    this.fault(`holds ${described(value)}; it takes ${takes}`);
  }
}

/**
 * `traffic_shaping.subgraphs.reviews.timeout`, `authentication.router.jwt.jwks[0].url`; relative to `start`, if given.
 */
export function showPath(path: readonly PathPart[], start = ''): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') {
      return `${text}[${key}]`;
    }
    const name = printable(key);
    return text === '' ? name : `${text}.${name}`;
  }, start);
}

function described(value: unknown): string {
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (typeof value === 'string') {
    return value === '' ? 'an empty text' : 'a text of another form';
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'a map';
}
