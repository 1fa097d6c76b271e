// The parts of packages without types that the suites of uploads use.
declare module 'graphql-upload/processRequest.mjs' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Readable } from 'node:stream';

  export interface FileUpload {
    readonly filename: string;
    readonly mimetype: string;
    readonly createReadStream: () => Readable;
  }

  export default function processRequest(
    request: IncomingMessage,
    response: ServerResponse,
    limits: { readonly maxFileSize: number; readonly maxFiles: number },
  ): Promise<unknown>;
}

declare module 'graphql-upload/GraphQLUpload.mjs' {
  import type { GraphQLScalarType } from 'graphql';

  const GraphQLUpload: GraphQLScalarType;
  export default GraphQLUpload;
}

declare module 'apollo-upload-client/UploadHttpLink.mjs' {
  import type { ApolloLink, HttpLink } from '@apollo/client/core';

  const UploadHttpLink: new (options: HttpLink.Options) => ApolloLink;
  export default UploadHttpLink;
}
