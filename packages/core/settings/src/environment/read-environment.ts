import { EnvironmentError } from './environment-error.ts';
import { modeOf, isRequired } from './variable.ts';
import type { ValueOf, Variable } from './variable.ts';

/** The variables of a process by name. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of the variables. */
export type Environment<Declared extends Variables> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>;
};

/** The most characters of a value in a message. */
const maxShownLength = 80;

/**
 * Reads the declared variables into one frozen object. An empty variable counts as absent: container tools set it for
 * an unset one.
 *
 * @throws {EnvironmentError} with every faulty variable, not just the first
 */
export function readEnvironment<const Declared extends Variables>(
  env: Readonly<Record<string, string | undefined>>,
  declared: Declared,
): Environment<Declared> {
  const mode = modeOf(env);
  const faults: string[] = [];
  const entries = Object.entries(declared).map(([name, variable]) => {
    const text = env[name] ?? '';
    const value = text === '' ? variable.options.default : variable.parse(text, mode);
    if (text === '' ? isRequired(variable, mode) : value === undefined) {
      faults.push(describeFault(name, text, variable));
    }
    return [name, value] as const;
  });
  if (faults.length > 0) {
    throw new EnvironmentError(faults);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was read by the variable of that name
  return Object.freeze(Object.fromEntries(entries)) as Environment<Declared>;
}

function describeFault(name: string, text: string, { takes, options }: Variable<unknown>): string {
  if (text === '') {
    const where = options.requiredIn === 'production' ? ', and is required in production' : '';
    return `${name} is not set${where}; it takes ${takes}`;
  }
  return `${name} holds ${options.secret ? 'a secret of another form' : shown(text)}; it takes ${takes}`;
}

/** The value on one line, control characters escaped, without the credentials of a URL. */
function shown(text: string): string {
  const harmless = withoutCredentials(text);
  return harmless.length > maxShownLength
    ? `${JSON.stringify(harmless.slice(0, maxShownLength))}…`
    : JSON.stringify(harmless);
}

function withoutCredentials(text: string): string {
  const start = text.indexOf('://') + '://'.length;
  const end = text.lastIndexOf('@');
  return start < '://'.length || end < start ? text : `${text.slice(0, start)}…${text.slice(end)}`;
}
