export type Part = readonly [name: string, content: string | Buffer, fileName?: string, mediaType?: string];

/** A body as browsers write it, with the boundary `x`. */
export function form(parts: readonly Part[], end = '--x--\r\n'): Buffer {
  const written = parts.flatMap(([name, content, fileName, mediaType]) => [
    `--x\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    mediaType === undefined ? '' : `\r\nContent-Type: ${mediaType}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat(
    [...written, end].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}

/** The parts of a GraphQL multipart request. */
export function operation(
  query: string,
  variables: object,
  map: object,
  ...files: readonly Part[]
): readonly Part[] {
  return [['operations', JSON.stringify({ query, variables })], ['map', JSON.stringify(map)], ...files];
}

export const store = 'mutation Test($file: Upload!) { store(file: $file) { name mediaType bytes sha256 } }';

export const formHeaders = {
  'content-type': 'multipart/form-data; boundary=x',
  'apollo-require-preflight': 'true',
};
