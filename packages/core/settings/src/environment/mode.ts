/** The defaults of a process: in development, local keys and loopback addresses; in production, none. */
export type Mode = 'development' | 'production';

/**
 * The mode that `NODE_ENV` asks for. Only `development` relaxes anything: unset, misspelt or unknown counts as
 * production, so that a forgotten variable can never open a deployed service.
 */
export function modeOf(env: Readonly<Record<string, string | undefined>>): Mode {
  return env['NODE_ENV'] === 'development' ? 'development' : 'production';
}
