/** The most bytes of a response without a stream. */
const maxBytes = 1_000_000;

/** The body of a response without a stream; only its start where it is long. */
export async function readSmallBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) {
      break;
    }
  }
  return Buffer.concat(chunks);
}
