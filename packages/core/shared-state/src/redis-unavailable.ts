/** Redis did not respond in time, or responded with an error: continue without it. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';

  constructor(options: ErrorOptions = {}) {
    super('Redis does not respond', options);
  }
}
