import { randomUUID } from 'node:crypto';

import type { CallSubgraph, SubgraphInterceptor } from '@meridian/executor';

import type { Run } from '../operation/run.ts';
import type { RequestWithFiles, Upload } from './upload.ts';

/**
 * Sends a request that needs files of the client as a GraphQL multipart request, whose parts are the files as they
 * arrive.
 *
 * @param send the rest of the way of such a request
 */
export function sendFiles(send: CallSubgraph<Run>): SubgraphInterceptor<Run> {
  return (request, next) => {
    const { upload } = request.run;
    const withFiles = upload?.filesOf(request.body);
    if (upload === undefined || withFiles === undefined) {
      return next(request);
    }
    const boundary = randomUUID();
    return send({
      ...request,
      parts: partsOf(upload, withFiles, boundary),
      headers: {
        ...request.headers,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        // Servers of GraphQL require it of forms.
        'apollo-require-preflight': 'true',
      },
    });
  };
}

/** RFC 7578; the names of files as browsers write them (HTML, "multipart/form-data"). */
async function* partsOf(
  upload: Upload,
  { operations, paths }: RequestWithFiles,
  boundary: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const files = [...paths.keys()].toSorted((one, other) => one - other);
  const map = Object.fromEntries(files.map((file) => [file, paths.get(file)]));
  const start = `--${boundary}\r\nContent-Disposition: form-data; name=`;
  yield Buffer.from(
    `${start}"operations"\r\n\r\n${operations}\r\n${start}"map"\r\n\r\n${JSON.stringify(map)}\r\n`,
  );
  for await (const { file, fileName, mediaType, bytes } of upload.take(files)) {
    const named = fileName === undefined ? '' : `; filename="${escaped(fileName)}"`;
    yield Buffer.from(`${start}"${file}"${named}\r\nContent-Type: ${escaped(mediaType)}\r\n\r\n`);
    // A file that is left early is still read to its end: nothing after it would arrive.
    yield* bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

function escaped(text: string): string {
  return text.replaceAll(/["\r\n]/g, encodeURIComponent);
}
