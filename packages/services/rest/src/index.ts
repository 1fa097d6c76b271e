export { createCursors, type CursorScope, type Cursors, filterText } from './cursors.ts';
export { acceptedType, type Available, availableAsJson } from './accept.ts';
export { cipherKeyOf, openText, sealText } from './sealed-text.ts';
export { handleStoreErrors } from './handle-store-errors.ts';
export { ifMatchOf, staleEtag } from './if-match.ts';
export { creationRoute } from './idempotency/creation-route.ts';
export { idempotencyKeyHeader } from './idempotency/with-idempotency-key.ts';
export { bodySchemaOf, type JsonBody, readJsonBody, readOptionalJsonBody } from './json-body.ts';
export { preferenceApplied, prefersRepresentation } from './prefer.ts';
export { sendJson, sendTagged, type TaggedRepresentation } from './send-json.ts';
export {
  idempotentStatement,
  type Statements,
  idempotentTransaction,
  type IdempotentWrite,
} from './idempotency/idempotent-write.ts';
