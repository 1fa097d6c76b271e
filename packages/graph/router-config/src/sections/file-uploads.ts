import { flag, key, section } from '../declaration/key.ts';
import { boolean, byteSize, duration, oneOf, positiveInteger } from '../declaration/value-types.ts';

/** Files of clients in a GraphQL multipart request. */
export const fileUploads = section({
  enabled: flag('Takes GraphQL multipart requests, and passes their files on to subgraphs'),
  protocols: section({
    multipart: section({
      enabled: key(boolean, {
        default: true,
        note: 'False is the same as `preview_file_uploads.enabled: false`',
      }),
      mode: key(oneOf('stream'), {
        default: 'stream',
        note: 'Files are passed on as they arrive. So an operation may use them in the order of the request only',
      }),
      limits: section({
        max_file_size: key(byteSize, {
          default: '1MB',
          note: 'The largest file. `limits.http_max_request_bytes` bounds the rest of such a request',
        }),
        max_files: key(positiveInteger, { default: 5, note: 'The most files of a request' }),
        operation_body_timeout: key(duration, {
          note: 'The time until the operation has arrived, without the files. Default: the time for a whole request',
        }),
      }),
    }),
  }),
});
