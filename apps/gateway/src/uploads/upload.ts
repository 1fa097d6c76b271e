import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { Busboy } from '@fastify/busboy';
import type { ReadBodyOptions } from '@meridian/http';
import { ClientDisconnected, DeadlineExceeded } from '@meridian/http';
import { isRecord } from '@meridian/settings/values';

import type { UploadLimits } from '../config/traffic-limits.ts';
import { RequestError, requestError } from '../errors/request-error.ts';
import { parseJson } from '../pipeline/2-identify/parse-json.ts';
import type { ReceivedFiles } from '../telemetry/upload-metrics.ts';
import { placeFiles } from './place-files.ts';
import { cannotStream, tooManyFiles } from './upload-errors.ts';

export interface UploadOptions extends UploadLimits {
  /** The body of the request. */
  readonly body: Readable;
  readonly contentType: string;
  /** Called with the error of a body whose operation has arrived. */
  readonly onFailure: (error: Error) => void;
}

/** A file that arrives: nothing after it does until it is read. */
export interface ArrivingFile {
  /** Its number in the order of `map`. */
  readonly file: number;
  /** Undefined where the client names none. */
  readonly fileName: string | undefined;
  readonly mediaType: string;
  readonly bytes: BusboyFileStream;
}

/** The request to a subgraph, and the places of files in it. */
export interface RequestWithFiles {
  /** With null at each place of a file. */
  readonly operations: string;
  /** The paths of each file, by its number. */
  readonly paths: ReadonlyMap<number, readonly string[]>;
}

/** The most bytes of the head of a part, and of what is between parts. */
const maxPartHeadBytes = 16_384;
const maxMapBytes = 10_240;
/** The most bytes of `map` for each file: some paths. */
const mapBytesOfFile = 256;
/** For which a chunk of a body counts at least, as with other bodies: alone, one holds some 200 bytes more. */
const minChunkBytes = 64;
/** The most bytes that small chunks may lack, beside one for each byte that has arrived: some 17 000 chunks of one byte. */
const maxLackingBytes = 1_048_576;

/**
 * The files of one request, which arrive while the operation runs. No file is held: the body is read as far as someone
 * reads its files.
 *
 * https://github.com/jaydenseric/graphql-multipart-request-spec
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #operation = Promise.withResolvers<Buffer>();
  readonly #id = randomUUID();
  #parser: BusboyInstance | undefined;
  #operations: string | undefined;
  /** The names of the files, once `map` has arrived. */
  #names: readonly string[] | undefined;
  #receivedBytes = 0;
  #lackingBytes = 0;
  readonly #arriving: ArrivingFile[] = [];
  /** All that have begun to arrive. */
  readonly #received: BusboyFileStream[] = [];
  /** The file that is read. */
  #current: ArrivingFile | undefined;
  #wake: (() => void) | undefined;
  #isOver = false;
  #isTaking = false;
  /** The rejection of a request whose deadline passed while a subgraph waited for a file of the client. */
  lateness: Error | undefined;
  #failure: Error | undefined;
  #endReading = (): void => {};

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#operation.promise.catch(() => {});
  }

  /**
   * The GraphQL request, as JSON, with a placeholder for each file. Rejects as `Exchange.readBody` does, and with a
   * RequestError for a body that is not a multipart request.
   */
  readOperation({ maxBytes, signal, counter }: ReadBodyOptions): Promise<Buffer> {
    if (this.#parser !== undefined || this.#failure !== undefined) {
      return this.#operation.promise;
    }
    const { body, maxFiles, maxFileBytes, operationTimeoutMs } = this.#options;
    const maxOfMap = Math.max(maxMapBytes, maxFiles * mapBytesOfFile);
    const parser = this.#openParser(Math.max(maxBytes, maxOfMap));
    if (parser === undefined) {
      return this.#operation.promise;
    }
    parser
      .on('field', (name, text, _isNameCut, isCut) => {
        const isTooLong = isCut || Buffer.byteLength(text) > (name === 'map' ? maxOfMap : maxBytes);
        this.#onField(name, isTooLong ? undefined : text);
      })
      .on('file', (name, bytes, fileName, _encoding, mediaType) =>
        this.#onFile(name, { fileName, mediaType, bytes }),
      )
      .on('partsLimit', () => this.#fail(tooManyFiles(maxFiles)))
      .on('error', () =>
        this.#fail(cannotStream('Invalid multipart request: it ends before its last boundary')),
      )
      .on('finish', () => this.#onFinish())
      .on('drain', () => void body.resume());
    const onData = (chunk: Buffer): void => {
      this.#receivedBytes += chunk.length;
      this.#lackingBytes += Math.max(0, minChunkBytes - chunk.length);
      const ofFiles = this.#names === undefined ? 0 : maxFiles * (maxFileBytes + maxPartHeadBytes);
      try {
        if (this.#receivedBytes > maxBytes + maxOfMap + 4 * maxPartHeadBytes + ofFiles) {
          throw requestError('PAYLOAD_TOO_LARGE', 'The multipart body has too many bytes besides its files');
        }
        if (this.#lackingBytes > maxLackingBytes + this.#receivedBytes) {
          throw cannotStream('The body comes in too many small chunks');
        }
        if (this.#names === undefined) {
          counter?.count(chunk.length);
        }
        if (!parser.write(chunk)) {
          body.pause();
        }
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error('the body cannot be read', { cause: error }));
      }
    };
    const onEnd = (): void => void parser.end();
    const onClose = (): void => {
      if (!body.readableEnded) {
        this.#fail(new ClientDisconnected());
      }
    };
    const onAbort = (): void => {
      const error = reasonOf(signal.reason);
      if (signal.reason instanceof DeadlineExceeded && this.#isTaking && isAwaited(body)) {
        this.lateness = error;
      }
      this.#fail(error);
    };
    if (signal.aborted) {
      onAbort();
      return this.#operation.promise;
    }
    const timer =
      operationTimeoutMs === undefined
        ? undefined
        : setTimeout(
            () => this.#fail(tooLate('The operation of the upload took too long to arrive')),
            operationTimeoutMs,
          );
    const stopTimer = (): void => clearTimeout(timer);
    this.#operation.promise.then(stopTimer, stopTimer);
    signal.addEventListener('abort', onAbort);
    body.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    this.#endReading = () => {
      signal.removeEventListener('abort', onAbort);
      // The rest is dropped, as with any body. A later reset of the connection is irrelevant.
      body.off('data', onData).off('end', onEnd).off('close', onClose).resume();
    };
    return this.#operation.promise;
  }

  #openParser(maxFieldBytes: number): BusboyInstance | undefined {
    const { contentType, maxFiles, maxFileBytes } = this.#options;
    try {
      this.#parser = new Busboy({
        headers: { 'content-type': contentType },
        // With a file name or without: some clients send one with each part, and others with none.
        isPartAFile: (name) => name !== 'operations' && name !== 'map',
        preservePath: true,
        limits: {
          fieldSize: maxFieldBytes,
          fileSize: maxFileBytes,
          parts: maxFiles + 2,
          headerSize: maxPartHeadBytes,
          headerPairs: 20,
        },
      });
    } catch {
      this.#fail(cannotStream('Invalid multipart request: Content-Type has no boundary'));
    }
    return this.#parser;
  }

  /** @param text undefined for one over its limit */
  #onField(name: string, text: string | undefined): void {
    const isInOrder = name === (this.#operations === undefined ? 'operations' : 'map');
    if (!isInOrder || this.#names !== undefined) {
      this.#fail(this.#names === undefined ? this.#missingField() : cannotStream(`Second field '${name}'`));
    } else if (text === undefined) {
      this.#fail(requestError('PAYLOAD_TOO_LARGE', `The field \`${name}\` is too long`));
    } else if (name === 'operations') {
      this.#operations = text;
    } else {
      this.#begin(this.#operations ?? '', text);
    }
  }

  #begin(operations: string, map: string): void {
    const { json, maxFiles } = this.#options;
    try {
      const request = parseJson(operations, 'The field `operations`', json);
      this.#names = placeFiles(request, parseJson(map, 'The field `map`', json), {
        maxFiles,
        placeholder: (file) => `${this.#id}:${file}`,
      });
      this.#operation.resolve(Buffer.from(JSON.stringify(request)));
    } catch (error) {
      this.#fail(
        error instanceof Error ? error : new Error('the operation cannot be read', { cause: error }),
      );
    }
  }

  #onFile(name: string | undefined, { bytes, ...described }: Omit<ArrivingFile, 'file'>): void {
    const file = name === undefined ? -1 : (this.#names?.indexOf(name) ?? -1);
    bytes.on('error', () => {});
    bytes.on('limit', () =>
      this.#fail(
        requestError(
          'FILE_UPLOADS_LIMITS_MAX_FILE_SIZE_EXCEEDED',
          `Exceeded the limit of ${this.#options.maxFileBytes} bytes on the file '${described.fileName ?? name}'`,
        ),
      ),
    );
    if (this.#names === undefined) {
      this.#fail(this.#missingField());
    } else if (file === -1) {
      // As in graphql-upload and Apollo Router, a file that the map does not name is not an error.
      bytes.resume();
    } else {
      this.#received.push(bytes);
      this.#arriving.push({ file, bytes, ...described });
      this.#wake?.();
    }
  }

  #onFinish(): void {
    if (this.#names === undefined) {
      this.#fail(this.#missingField());
    }
    this.#isOver = true;
    this.#wake?.();
  }

  #missingField(): Error {
    return cannotStream(
      this.#operations === undefined
        ? "Missing multipart field 'operations': it must be the first one"
        : "Missing multipart field 'map': it must be the second one",
    );
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) {
      return;
    }
    this.#failure = error;
    if (this.#names !== undefined) {
      this.#options.onFailure(error);
    }
    this.#operation.reject(error);
    this.close();
  }

  /**
   * Ends the reading. Called before the response of the request is sent, so that the connection can go on with the next
   * request.
   */
  close(): void {
    this.#isOver = true;
    this.#endReading();
    this.#endReading = () => {};
    for (const { bytes } of this.#arriving.splice(0)) {
      bytes.destroy();
    }
    this.#current?.bytes.destroy();
    this.#wake?.();
  }

  get received(): ReceivedFiles {
    const code = this.#failure instanceof RequestError ? this.#failure.code : undefined;
    return {
      count: this.#received.length,
      sizes: this.#received.filter((file) => file.readableEnded).map(({ bytesRead }) => bytesRead),
      exceedsMaxFiles: code === 'FILE_UPLOADS_LIMITS_MAX_FILES_EXCEEDED',
      exceedsMaxFileSize: code === 'FILE_UPLOADS_LIMITS_MAX_FILE_SIZE_EXCEEDED',
    };
  }

  /** The numbers of the files in a value of a variable. */
  filesIn(value: unknown): readonly number[] {
    return placesIn(value, this.#id, '').map(({ file }) => file);
  }

  /** The files that a request to a subgraph needs, by its body; undefined for one without files. */
  filesOf(body: string): RequestWithFiles | undefined {
    if (!body.includes(this.#id)) {
      return undefined;
    }
    const request: unknown = JSON.parse(body);
    const paths = new Map<number, string[]>();
    for (const { file, path } of placesIn(isRecord(request) && request['variables'], this.#id, 'variables')) {
      paths.set(file, [...(paths.get(file) ?? []), path]);
    }
    // The text itself keeps the digits of numbers.
    return { operations: body.replace(placeholders, (text, id) => (id === this.#id ? 'null' : text)), paths };
  }

  /**
   * Takes some of the files, in the order in which they arrive. Each must be read before the next one. Others that
   * arrive before them are dropped, and so is the rest of one that is left.
   *
   * @throws {RequestError} for a file that does not arrive; another error once the request has ended
   */
  async *take(files: Iterable<number>): AsyncGenerator<ArrivingFile, void, undefined> {
    const left = new Set(files);
    this.#isTaking = true;
    while (left.size > 0) {
      const next = await this.#next();
      if (next === undefined) {
        if (this.#parser?.writableFinished === true) {
          const names = Array.from(left, (file) => `'${this.#names?.[file]}'`);
          this.#fail(cannotStream(`Missing files in the request: ${names.join(', ')}`));
        }
        throw this.#failure ?? new Error('the request has ended');
      }
      if (left.delete(next.file)) {
        this.#current = next;
        try {
          yield next;
        } finally {
          this.#isTaking = left.size > 0;
          next.bytes.resume();
        }
      } else {
        next.bytes.resume();
      }
    }
  }

  async #next(): Promise<ArrivingFile | undefined> {
    while (this.#arriving.length === 0 && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#arriving.shift();
  }
}

const placeholders = /"([\da-f-]{36}):\d+"/g;

interface FilePlace {
  readonly file: number;
  readonly path: string;
}

function placesIn(value: unknown, id: string, path: string): readonly FilePlace[] {
  if (typeof value === 'string') {
    return value.startsWith(`${id}:`) ? [{ file: Number(value.slice(id.length + 1)), path }] : [];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => placesIn(member, id, `${path}.${name}`))
    : [];
}

/** True while the client, not the reader, has to go on. */
function isAwaited(body: Readable): boolean {
  return !body.readableEnded && !body.isPaused();
}

function reasonOf(reason: unknown): Error {
  if (reason instanceof DeadlineExceeded) {
    return tooLate('The body did not arrive in time');
  }
  return reason instanceof Error ? reason : new Error('the request was stopped', { cause: reason });
}

function tooLate(message: string): Error {
  return requestError('REQUEST_TIMEOUT', message, { headers: { Connection: 'close' } });
}
