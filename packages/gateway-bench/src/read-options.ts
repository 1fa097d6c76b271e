import { parseArgs } from 'node:util';

/** How long and how often is measured. */
export interface BenchOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Contenders whose name holds this; all where it is empty. */
  readonly only: string;
  /** Measures what the stages of our own gateway cost instead. */
  readonly stages: boolean;
}

/** The options of a command line; a text where they are not what is understood, or where only help is asked for. */
export function readOptions(
  argv: readonly string[],
): BenchOptions | { readonly usage: string; readonly isAskedFor: boolean } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        seconds: { type: 'string', default: '3' },
        rounds: { type: 'string', default: '3' },
        connections: { type: 'string', default: '50' },
        only: { type: 'string', default: '' },
        stages: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      return { usage, isAskedFor: true };
    }
    return {
      seconds: positive('seconds', values.seconds),
      rounds: positive('rounds', values.rounds),
      connections: positive('connections', values.connections),
      only: values.only,
      stages: values.stages,
    };
  } catch (error) {
    return {
      usage: `${error instanceof Error ? error.message : String(error)}\n${usage}`,
      isAskedFor: false,
    };
  }
}

const usage = `pnpm bench gateway [--seconds 3] [--rounds 3] [--connections 50] [--only <part of a name>] [--stages]

  --seconds      of load, for each contender, operation and round
  --rounds       everyone in turn, so often; the best counts
  --connections  that send at the same time
  --only         measures those whose name holds this
  --stages       measures what each stage of our gateway's pipeline costs, not others
`;

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) {
    throw new Error(`--${name} takes a number over 0, not ${text}`);
  }
  return value;
}
