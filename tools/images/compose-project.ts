import { parse } from 'yaml';

/** A service of a Compose file, as far as `pnpm images` runs it. */
export interface ComposeService {
  readonly name: string;
  /** The app whose image it has; undefined for an image from elsewhere. */
  readonly app: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Empty for the image's own. */
  readonly command: readonly string[];
  readonly readOnly: boolean;
  readonly tmpfs: readonly string[];
  readonly dropped: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ServiceEntry>>;
}

type Scalar = string | number | boolean | null;

interface ServiceEntry {
  readonly build?: { readonly args: { readonly APP: string } };
  readonly environment?: Readonly<Record<string, Scalar>>;
  readonly command?: readonly Scalar[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
}

/**
 * Reads the services of a valid Compose file, with these variables in place of `${NAME}`, `${NAME:?message}` and
 * `${NAME:-default}`.
 */
export function readComposeServices(
  yaml: string,
  variables: Readonly<Record<string, string>>,
): readonly ComposeService[] {
  const { services }: ComposeFile = parse(yaml, { merge: true });
  const expand = (value: Scalar): string => interpolate(String(value ?? ''), variables);
  return Object.entries(services).map(([name, service]) => ({
    name,
    app: service.build?.args.APP,
    environment: Object.fromEntries(
      Object.entries(service.environment ?? {}).map(([variable, value]) => [variable, expand(value)]),
    ),
    command: (service.command ?? []).map(expand),
    readOnly: service.read_only ?? false,
    tmpfs: service.tmpfs ?? [],
    dropped: service.cap_drop ?? [],
  }));
}

/** Compose specification, "Interpolation": `$$` is a dollar sign. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const reference = /\$\$|\$\{(\w+)(?::\?[^}]*|:-([^}]*))?\}/gu;
  return text.replaceAll(reference, (match, name: string | undefined, byDefault: string | undefined) => {
    if (name === undefined) {
      return '$';
    }
    const value = variables[name] ?? byDefault;
    if (value === undefined) {
      throw new Error(`${match} has no value`);
    }
    return value;
  });
}
