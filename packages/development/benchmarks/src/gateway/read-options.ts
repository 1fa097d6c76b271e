import { flagValue, positiveInteger, positiveNumber, readArgs } from '@meridian/settings/command-line';

/** The choice of what is measured, and for how long. */
export type BenchOptions = ReturnType<typeof readOptions>;

export const benchHelp = `Usage: pnpm bench gateway [flags]

Measures what a federated request costs this gateway, stock @apollo/gateway and
others, side by side.

  --seconds <n>      of load, for each contender, operation and round (3)
  --rounds <n>       everyone in turn, so often; the best counts (3)
  --connections <n>  that send at the same time (50)
  --only <texts>     measures those whose name holds this; commas separate several
  --work <texts>     sends the operations whose name holds this, such as small,field
  --workers <n>      measures our gateway with one worker and with n, and Hive
                     Router, on all cores, not others
  --guarded          measures our gateway with tokens, safelist, limits, cost,
                     throttle, traces and lines of the log, each alone and all of
                     them, with a hook and a coprocessor, and Hive Router with
                     those guards that it has
  --beside <path>    measures our gateway and the one of another checkout,
                     installed, in pairs, not others: before and after a change
  --help             print this

HIVE_ROUTER names the binary of Hive Router, to measure it too.
`;

/**
 * Reads the flags.
 *
 * @throws {UsageError} which names the one that it cannot take
 */
export function readOptions(args: readonly string[]) {
  const { flags } = readArgs(args, {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    work: { type: 'string', default: '' },
    workers: { type: 'string' },
    guarded: { type: 'boolean', default: false },
    beside: { type: 'string' },
  });
  return {
    seconds: flagValue('--seconds', flags.seconds, positiveNumber),
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    connections: flagValue('--connections', flags.connections, positiveInteger),
    /** Contenders whose name holds one of these. */
    only: flags.only.split(','),
    /** Workloads whose name holds one of these. */
    work: flags.work.split(','),
    /** Measures our gateway with one worker and with this many, and Hive Router, on all cores. */
    workers: flags.workers === undefined ? undefined : flagValue('--workers', flags.workers, positiveInteger),
    /** Measures our gateway with each guard that users run, and Hive Router with those that it has. */
    guarded: flags.guarded,
    /** The path of another checkout, whose gateway is measured beside ours. */
    beside: flags.beside,
  };
}
