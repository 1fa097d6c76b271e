import { RouterConfigError, readRouterConfig } from '@meridian/router-config';
import type { ReadRouterConfig, RouterConfig } from '@meridian/router-config';

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
