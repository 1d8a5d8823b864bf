import { readVisibleTexts } from '#test/texts/visible-texts.ts';

/** `npm run texts`: every text that people see, once, by the file that holds it. */
let file = '';
for (const text of readVisibleTexts()) {
  if (text.file !== file) console.log(`\n${text.file}`);
  file = text.file;
  console.log(`${String(text.line).padStart(5)}  ${text.text}`);
}
