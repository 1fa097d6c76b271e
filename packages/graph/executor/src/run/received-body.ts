import type { LoadedResponse } from '../fast-path/fast-path-data.ts';
import { isOnTape } from '../fast-path/fast-path-data.ts';

/**
 * The body of a response in a run, which equal fetches read. While it is on the tape, nothing else keeps it: V8 collects
 * the whole heap for buffers that outlive a collection of the young generation.
 */
export class ReceivedBody {
  /** As it arrived, or its place on the tape of the run. */
  content: string | Buffer | LoadedResponse;

  constructor(content: string | Buffer) {
    this.content = content;
  }

  /** The body of a run that has left its tape. */
  get text(): string | Buffer {
    if (isOnTape(this.content)) {
      throw new Error('The body is still on the tape');
    }
    return this.content;
  }
}
