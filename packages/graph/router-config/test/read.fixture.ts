import { RouterConfigError, checkConfig, readRouterConfig } from '@meridian/router-config';
import type { ConfigCheck, ReadRouterConfig, RouterConfig } from '@meridian/router-config';

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly overlay?: string;
  readonly mode?: 'development' | 'production';
  /** Texts of files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Reads a configuration from its text. */
export function read(
  text: string,
  { env = {}, overlay, mode = 'production', files = {} }: Given = {},
): ReadRouterConfig {
  return readRouterConfig({
    files: [
      { name: 'router.yaml', text },
      ...(overlay === undefined ? [] : [{ name: 'overlay.yaml', text: overlay }]),
    ],
    env,
    mode,
    readFile: (path) => {
      const held = files[path];
      if (held === undefined) {
        throw new Error(`no such file: ${path}`);
      }
      return held;
    },
  });
}

export function configOf(text: string, given?: Given): RouterConfig {
  return read(text, given).config;
}

/** The faults of a configuration that has some. */
export function faultsOf(text: string, given?: Given): readonly string[] {
  try {
    read(text, given);
  } catch (error) {
    if (error instanceof RouterConfigError) {
      return error.faults;
    }
    throw error;
  }
  return [];
}

/** Checks a configuration, without variables and files. */
export function check(text: string, mode: 'development' | 'production' = 'production'): ConfigCheck {
  return checkConfig({ name: 'router.yaml', text }, { env: {}, readFile: () => '', mode });
}

/** A file with a value at one path alone; `*` is a name, `[]` the first item. */
export function fileWith(path: string, value: unknown): string {
  return JSON.stringify(
    path
      .split(/\.|(?=\[\])/)
      .reduceRight((held, key) => (key === '[]' ? [held] : { [key === '*' ? 'any' : key]: held }), value),
  );
}
