import { restoredLabelsOf } from './restored-labels';

const names = new Map([
  ['Label_1', 'Work'],
  ['Label_2', 'Work/2020'],
]);
const original = { labels: 'original', addLabel: null } as const;

describe('restoredLabelsOf', () => {
  it('should name the labels of archived mail, without trash, drafts and chats', () => {
    const labelIds = ['INBOX', 'UNREAD', 'TRASH', 'DRAFT', 'CHAT', 'CATEGORY_SOCIAL', 'Label_2', 'Label_1'];
    expect(restoredLabelsOf({ labelIds, isImported: false }, names, original)).toEqual({
      system: ['INBOX', 'UNREAD', 'CATEGORY_SOCIAL'],
      names: ['Work/2020', 'Work'],
      isIncomplete: false,
    });
  });

  it('should report an unknown name, unless the label is a name itself', () => {
    const labelIds = ['Label_9', 'SENT'];
    expect(restoredLabelsOf({ labelIds, isImported: false }, names, original)).toEqual({
      system: ['SENT'],
      names: [],
      isIncomplete: true,
    });
    expect(restoredLabelsOf({ labelIds, isImported: true }, names, original)).toEqual({
      system: ['SENT'],
      names: ['Label_9'],
      isIncomplete: false,
    });
  });

  it('should add the requested label once', () => {
    const mail = { labelIds: ['INBOX', 'Label_1'], isImported: false };
    expect(restoredLabelsOf(mail, names, { labels: 'none', addLabel: 'Back' })).toEqual({
      system: [],
      names: ['Back'],
      isIncomplete: false,
    });
    expect(restoredLabelsOf(mail, names, { labels: 'original', addLabel: 'Work' }).names).toEqual(['Work']);
  });
});
