/** Redis did not answer in time, or not as it should: what it would have said has to come from somewhere else. */
export class RedisUnavailable extends Error {
  constructor(options: ErrorOptions = {}) {
    super('Redis does not answer', options);
    this.name = 'RedisUnavailable';
  }
}
