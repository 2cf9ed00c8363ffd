/** Texts of mail, wherever it is shown. */
export const mail = {
  noSubject: '(no subject)',
} as const;
