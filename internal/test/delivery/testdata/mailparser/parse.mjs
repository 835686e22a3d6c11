// Reads a JSON array of mails from standard input and writes what mailparser understands.
import { simpleParser } from "mailparser";
import { readFileSync } from "node:fs";

const mails = JSON.parse(readFileSync(0, "utf8"));
const parsed = [];
for (const mail of mails) {
  const m = await simpleParser(mail);
  parsed.push({
    subject: m.subject, text: m.text, html: m.html || "", to: m.to?.text, from: m.from?.text, attachments: m.attachments.length,
    id: m.messageId, references: m.references ?? "", headers: m.headerLines.map((line) => line.key),
  });
}
process.stdout.write(JSON.stringify(parsed));
