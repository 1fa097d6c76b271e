/** The options of every variable. Without any of these, the variable is required. */
export interface VariableOptions<Value> {
  /** The value of an absent variable. */
  readonly default?: Value;
  /** The variable may be absent, and then reads as `undefined`. */
  readonly optional?: true;
  /** The variable may be absent in development, and then reads as the default, if any, else as `undefined`. */
  readonly requiredIn?: 'production';
  /** A secret's value never appears in a message. */
  readonly secret?: true;
}

/** The parser of one type of variable. */
export interface VariableDefinition<Value> {
  /** The accepted values, as the end of the sentence "it takes …". */
  readonly takes: string;
  /** The value of the text; undefined when the variable does not accept it. */
  readonly parse: (text: string, mode: Mode) => Value | undefined;
}

/** One environment variable: how its text is read, and what happens when there is none. */
export interface Variable<
  Value,
  Options extends VariableOptions<Value> = VariableOptions<Value>,
> extends VariableDefinition<Value> {
  readonly options: Options;
}

/** Defines a variable of a type of `@meridian/settings/values`, or of another. */
export function variable<Value, const Options extends VariableOptions<Value>>(
  definition: VariableDefinition<Value>,
  options: Options,
): Variable<Value, Options> {
  return { ...definition, options };
}

/** True when an absent variable is a fault in this mode. */
export function isRequired({ options }: Variable<unknown>, mode: Mode): boolean {
  if (options.requiredIn !== undefined) {
    return options.requiredIn === mode;
  }
  return options.optional !== true && options.default === undefined;
}

/** The type that a variable reads as: it can be undefined only where the options let an absent one pass. */
export type ValueOf<Declared> =
  Declared extends Variable<infer Value, infer Options>
    ? Options extends { default: unknown }
      ? Value
      : Options extends { optional: true } | { requiredIn: 'production' }
        ? Value | undefined
        : Value
    : never;

/** The defaults of a process: in development, local keys and loopback addresses; in production, none. */
export type Mode = 'development' | 'production';

/**
 * The mode that `NODE_ENV` asks for. Only `development` relaxes anything: unset, misspelt or unknown counts as
 * production, so that a forgotten variable can never open a deployed service.
 */
export function modeOf(env: Readonly<Record<string, string | undefined>>): Mode {
  return env['NODE_ENV'] === 'development' ? 'development' : 'production';
}
