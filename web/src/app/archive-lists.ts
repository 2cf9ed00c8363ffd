/** Two small pages of an archive, which are loaded together: a file for each would make the first page of everybody larger. */
export { AttachmentsPage } from '../features/archive/attachments/AttachmentsPage';
export { IndexPage } from '../features/archive/index-ledger/IndexPage';
