// Two subgraphs that take files: GraphQL.js over `graphql-upload`, none of the gateway's code.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';
import { graphql, parse } from 'graphql';
import GraphQLUpload from 'graphql-upload/GraphQLUpload.mjs';
import type { FileUpload } from 'graphql-upload/processRequest.mjs';
import processRequest from 'graphql-upload/processRequest.mjs';
import { compose } from '../support/compose.ts';

/** A file as a subgraph got it. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
}

type Arguments = Readonly<Record<string, unknown>>;

const keys =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])';

const kept = new Map<string, StoredFile>();

const files = {
  sdl: `
    ${keys}
    scalar Upload
    type Query { greeting: String  checksum(file: Upload!): String }
    type Mutation {
      store(file: Upload!, size: Float, note: String): StoredFile
      storeAll(files: [Upload!]!): [StoredFile!]!
      storeAlbum(album: Album!): [StoredFile!]!
      record(amounts: Decimals!, file: Upload): String
    }
    scalar Decimal
    input Decimals { one: Decimal  some: [Decimal!] }
    type Subscription { stored(file: Upload!): String }
    input Album { cover: Upload!  pages: [Upload!]! }
    type StoredFile @key(fields: "id") { id: ID!  name: String!  mediaType: String!  bytes: Int!  sha256: String!  note: String }
  `,
  resolvers: {
    Upload: GraphQLUpload,
    Query: {
      greeting: () => 'hello',
      checksum: async (_: never, { file }: { file: unknown }) => (await stored(file)).sha256,
    },
    Mutation: {
      store: async (_: never, { file, size, note }: Arguments) => ({
        ...(await stored(file)),
        note: note ?? (size === undefined ? undefined : JSON.stringify(size)),
      }),
      storeAll: (_: never, { files: all }: { files: unknown[] }) => Promise.all(all.map(stored)),
      storeAlbum: (_: never, { album }: { album: { cover: unknown; pages: unknown[] } }) =>
        Promise.all([album.cover, ...album.pages].map(stored)),
    },
    StoredFile: { __resolveReference: ({ id }: { id: string }) => kept.get(id) },
  },
};

const archive = {
  sdl: `
    ${keys}
    scalar Upload
    type Query { archived: String  sum(file: Upload!): String }
    type Mutation { archive(file: Upload!): String }
    type StoredFile @key(fields: "id") { id: ID!  sealed(seal: Upload!): String }
  `,
  resolvers: {
    Upload: GraphQLUpload,
    Query: {
      archived: () => 'all',
      sum: async (_: never, { file }: { file: unknown }) => (await stored(file)).sha256,
    },
    Mutation: { archive: async (_: never, { file }: { file: unknown }) => (await stored(file)).name },
    StoredFile: {
      sealed: async ({ id }: { id: string }, { seal }: { seal: unknown }) =>
        `${id} ${(await stored(seal)).name}`,
    },
  },
};

async function stored(upload: unknown): Promise<StoredFile> {
  const { filename, mimetype, createReadStream } = await (upload as Promise<FileUpload>);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream()) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  const file = { id: filename, name: filename, mediaType: mimetype, bytes, sha256: hash.digest('hex') };
  kept.set(file.id, file);
  return file;
}

/** Replaces the response of the subgraph `files`; the request is not read. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface UploadSubgraphs {
  /** The content types of the requests that arrived, by the name of the subgraph. */
  readonly received: { readonly subgraph: string; readonly contentType: string | undefined }[];
  misbehave(how: Misbehaviour | undefined): void;
  /** Writes the supergraph; for `prepare` of a gateway. */
  prepare(directory: string): Promise<Readonly<Record<string, string>>>;
  /** The subgraph `files`, for a server of another kind. */
  serveFiles(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

export async function startUploadSubgraphs(): Promise<UploadSubgraphs> {
  const received: UploadSubgraphs['received'] = [];
  let misbehaviour: Misbehaviour | undefined;
  const start = async (
    name: string,
    { sdl, resolvers }: typeof files | typeof archive,
  ): Promise<{ readonly server: LoopbackServer; readonly serve: UploadSubgraphs['serveFiles'] }> => {
    const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers: resolvers as never });
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const contentType = request.headers['content-type'];
      received.push({ subgraph: name, contentType });
      if (misbehaviour !== undefined && name === 'files') {
        misbehaviour(request, response);
        return;
      }
      try {
        const body = (
          contentType?.startsWith('multipart/form-data') === true
            ? await processRequest(request, response, { maxFileSize: 1e9, maxFiles: 100 })
            : await json(request)
        ) as { query: string; variables?: Record<string, unknown> };
        const result = await graphql({ schema, source: body.query, variableValues: body.variables ?? {} });
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(result));
      } catch (error) {
        response.writeHead(400, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ errors: [{ message: String(error) }] }));
      }
    };
    const serve: UploadSubgraphs['serveFiles'] = (request, response) => void respond(request, response);
    return { server: await listenOnLoopback(serve), serve };
  };
  const servers = { files: await start('files', files), archive: await start('archive', archive) };
  const supergraphSdl = compose([
    { name: 'files', routingUrl: servers.files.server.url, sdl: files.sdl },
    { name: 'archive', routingUrl: servers.archive.server.url, sdl: archive.sdl },
  ]);
  return {
    received,
    serveFiles: servers.files.serve,
    misbehave: (how) => void (misbehaviour = how),
    async prepare(directory) {
      const path = join(directory, 'uploads.graphql');
      await writeFile(path, supergraphSdl);
      return { SUPERGRAPH_PATH: path };
    },
    async close() {
      await Promise.all(Object.values(servers).map(({ server }) => server.close()));
    },
  };
}
