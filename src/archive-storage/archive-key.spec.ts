import { encryptedStorageKey, parseArchiveKey, storageKey } from './storage-key';

const USER = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e';
const MAIL = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f';

describe('parseArchiveKey', () => {
  it('should take apart what the archive writes', () => {
    const key = storageKey(USER, ACCOUNT, new Date('2024-02-29T23:59:59Z'), MAIL);
    expect(parseArchiveKey(key)).toEqual({
      userId: USER,
      accountId: ACCOUNT,
      mailId: MAIL,
      folder: `${USER}/${ACCOUNT}/2024/02/`,
    });
  });

  it('should take apart the key of an encrypted mail, whose folder is its own', () => {
    const plain = storageKey(USER, ACCOUNT, new Date('2024-02-29T23:59:59Z'), MAIL);
    expect(parseArchiveKey(encryptedStorageKey(plain, '0123456789abcdef'))).toEqual({
      userId: USER,
      accountId: ACCOUNT,
      mailId: MAIL,
      folder: `${USER}/${ACCOUNT}/2024/02/0123456789abcdef/`,
    });
  });

  it.each([
    `${USER}/${ACCOUNT}/2024/13/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/00/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/24/01/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL}.eml.bak`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL}.eml\n`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL.toUpperCase()}.eml`,
    `${USER}/${ACCOUNT}/2024/01/notes.eml`,
    `${USER}/${ACCOUNT}/2024/01/more/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789abcde/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789ABCDEF/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789abcdef/0123456789abcdef/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/0123456789abcdef/${MAIL}.eml`,
    `x${USER}/${ACCOUNT}/2024/01/${MAIL}.eml`,
    `backup/${USER}/${ACCOUNT}/2024/01/${MAIL}.eml`,
    `${USER}/2024/01/${MAIL}.eml`,
    '',
  ])('should leave %j alone', (key) => {
    expect(parseArchiveKey(key)).toBeNull();
  });
});
