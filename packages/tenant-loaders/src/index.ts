export { inKeyOrder, listsInKeyOrder } from './in-key-order.ts';
export {
  createTenantLoader,
  maxBatchSize,
  type OnBatch,
  type ReadBatch,
  type TenantLoader,
  type TenantScope,
} from './tenant-loader.ts';
