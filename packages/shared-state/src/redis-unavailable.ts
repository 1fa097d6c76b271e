/** Redis did not respond in time, or responded with an error: continue without it. */
export class RedisUnavailable extends Error {
  constructor(options: ErrorOptions = {}) {
    super('Redis does not respond', options);
    this.name = 'RedisUnavailable';
  }
}
