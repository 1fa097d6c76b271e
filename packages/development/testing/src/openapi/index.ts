export { type ResponseChecker, createResponseChecker, type ObservedResponse } from './response-checker.ts';
export {
  documentedResponses,
  documentedFetch,
  type DocumentedFetch,
  openApiFaults,
} from './documented-responses.ts';
