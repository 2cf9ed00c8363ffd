import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { letters } from './demo/mail/letters.mjs';
import { ROOT } from './lib/commands.mjs';

/**
 * Writes the mail with attached documents that is part of the demo's mailbox to `sandbox/mail`. The files are committed: this
 * is run only to change them, and needs LibreOffice (`libreoffice-writer-nogui`, `-calc-nogui`, `-impress-nogui`) and `pdftoppm`.
 */
async function writeLetters() {
  const folder = join(ROOT, 'sandbox/mail');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, date, from, subject, text, attachments } of await letters()) {
    const composer = new MailComposer({
      from,
      to: 'Demo <demo@sandbox.mailroom.test>',
      subject,
      text,
      date: new Date(date),
      messageId: `<${name}@documents.example>`,
      baseBoundary: name,
      attachments,
    });
    writeFileSync(join(folder, `${name}.eml`), await composer.compile().build());
  }
}

await writeLetters();
