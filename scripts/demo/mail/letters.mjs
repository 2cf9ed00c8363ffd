import { convert, scan, winmail, zip } from './convert.mjs';
import { slides, textDocument, workbook } from './flat-documents.mjs';

const lines = (...texts) => `${texts.join('\n')}\n`;
const crlf = (...texts) => Buffer.from(`${texts.join('\r\n')}\r\n`);

/** The mail with documents of the demo's mailbox, oldest first. */
export async function letters() {
  return [
    {
      name: 'tenancy-agreement',
      date: '2025-09-02T09:14:00Z',
      from: 'Whitby Lettings <office@whitby-lettings.example>',
      subject: 'Your tenancy agreement',
      text: lines(
        'Hello,',
        '',
        'the agreement for 12 Harbour Street is attached. Please sign both copies.',
        '',
        'Priya Nair',
      ),
      attachments: [
        {
          filename: 'tenancy-agreement.docx',
          content: await convert(
            textDocument([
              [
                'Assured shorthold tenancy',
                'The landlord lets the flat at 12 Harbour Street, Whitby, for twelve months from 1 October 2025.',
                'The rent is 890 pounds a month. The deposit of 1,027 pounds is held in a protected scheme.',
                [
                  'Break clause',
                  'Either side may end the tenancy after six months with two months of notice.',
                ],
                ['Pets', 'One cat is allowed.'],
              ],
            ]),
            'docx',
          ),
        },
      ],
    },
    {
      name: 'reference-for-imogen',
      date: '2025-11-18T16:40:00Z',
      from: 'Duncan Fairlie <duncan@fairlie-joinery.example>',
      subject: 'The reference that you asked for',
      text: lines('Here it is. She was the best we have had.', '', 'Duncan'),
      attachments: [
        {
          filename: 'reference.doc',
          content: await convert(
            textDocument([
              [
                'To whom it may concern',
                'Imogen Clarke completed her apprenticeship with us in July 2025. She built staircases and sash windows, and ' +
                  'taught two younger colleagues to cut dovetail joints.',
                'Duncan Fairlie, Fairlie Joinery',
              ],
            ]),
            'doc',
          ),
        },
      ],
    },
    {
      name: 'tax-return',
      date: '2026-01-21T19:05:00Z',
      from: 'Robin Ash <robin@ash-family.example>',
      subject: 'Papers for the tax return',
      text: lines('Everything that I could find is in the archive.', '', 'Robin'),
      attachments: [
        {
          filename: 'tax-2025.zip',
          content: await zip({
            'donations/lifeboats.pdf': await convert(
              textDocument([
                ['Lifeboat Society', 'Thank you for your donation of 120 pounds on 3 August 2025.'],
              ]),
              'pdf',
            ),
            'interest.csv': lines('bank,account,interest', 'Moorland Bank,40-12-77 88123456,31.18'),
          }),
        },
      ],
    },
    {
      name: 'household-budget',
      date: '2026-02-01T11:30:00Z',
      from: 'Robin Ash <robin@ash-family.example>',
      subject: 'Our budget for 2026',
      text: lines('I have filled in the second sheet. Can you look at it before Sunday?', '', 'Robin'),
      attachments: [
        {
          filename: 'budget-2026.xlsx',
          content: await convert(
            workbook({
              Income: [
                ['Source', 'A month'],
                ['Salaries', 4310],
              ],
              Expenses: [
                ['Item', 'A month'],
                ['Rent', 890],
                ['Piano lessons', 96],
                ['Allotment', 7.5],
              ],
            }),
            'xlsx',
          ),
        },
      ],
    },
    {
      name: 'seed-prices',
      date: '2026-02-24T08:02:00Z',
      from: 'Tilly Marsh <orders@marsh-seeds.example>',
      subject: 'Spring price list',
      text: lines(
        'Dear gardeners,',
        '',
        'our prices for the spring are attached. Orders leave us on Fridays.',
      ),
      attachments: [
        {
          filename: 'prices-spring.xls',
          content: await convert(
            workbook({
              Tubers: [
                ['Plant', 'Each'],
                ['Dahlia Bishop of Llandaff', 4.2],
                ['Begonia', 1.1],
              ],
              Seeds: [
                ['Plant', 'Packet'],
                ['Borage', 1.95],
              ],
            }),
            'xls',
          ),
        },
      ],
    },
    {
      name: 'rhubarb-crumble',
      date: '2026-03-15T13:22:00Z',
      from: 'Nana <nana@ash-family.example>',
      subject: 'The recipe from Sunday',
      text: lines('As promised, my dear. Do not tell your uncle.', '', 'Nana'),
      attachments: [
        {
          filename: 'recipe.odt',
          content: await convert(
            textDocument([
              [
                'Rhubarb crumble',
                '600 g rhubarb, 150 g flour, 100 g butter, 80 g sugar, the seeds of four pods of cardamom',
                'Rub the butter into the flour. Bake for 40 minutes at 180 degrees.',
              ],
            ]),
            'odt',
          ),
        },
      ],
    },
    {
      name: 'bathroom-invoice',
      date: '2026-04-17T10:48:00Z',
      from: 'Rossignol & Daughters <accounts@rossignol.example>',
      subject: 'Invoice for your bathroom',
      text: lines(
        'Dear customer,',
        '',
        'thank you for calling us. The invoice of your plumber is attached; please pay within thirty days.',
        '',
        'Adele Rossignol',
      ),
      attachments: [
        {
          filename: 'invoice-RD-2026-0417.pdf',
          content: await convert(
            textDocument([
              [
                'Rossignol & Daughters, 3 Quay Lane, Whitby',
                'Invoice RD-2026-0417 of 17 April 2026',
                'Repair of the bathroom at 12 Harbour Street. Details are on the next page.',
                'Total: 416.40 pounds. IBAN GB33 BUKB 2020 1555 5555 55',
              ],
              [
                'Details',
                ['Copper pipe, 15 mm', '12 m', '86.40'],
                ['Labour', '6 hours', '330.00'],
                'The old lead pipe was taken away. The stopcock leaks and should be replaced before winter.',
              ],
            ]),
            'pdf',
          ),
        },
      ],
    },
    {
      name: 'residents-meeting',
      date: '2026-05-06T20:15:00Z',
      from: 'Ngozi Okafor <ngozi@harbour-court.example>',
      subject: 'Minutes of the residents',
      text: lines(
        'Dear neighbours,',
        '',
        'please find the minutes attached. Corrections by Friday, please.',
        '',
        'Ngozi',
      ),
      attachments: [
        {
          filename: 'minutes.rtf',
          content: await convert(
            textDocument([
              [
                'Residents of Harbour Court, meeting of 4 May 2026',
                'The inspection of the lift is due in September. Three offers will be obtained.',
                'Mr Petrov asks for a bicycle shed in the yard. Agreed by nine votes to two.',
              ],
            ]),
            'rtf',
          ),
        },
      ],
    },
    {
      name: 'dentist',
      date: '2026-05-19T07:31:00Z',
      from: 'Harbour Dental <reception@harbour-dental.example>',
      subject: 'Your appointment',
      text: lines('We look forward to seeing you. Add the attached appointment to your calendar.'),
      attachments: [
        {
          filename: 'appointment.ics',
          contentType: 'text/calendar; charset=utf-8',
          content: crlf(
            'BEGIN:VCALENDAR',
            'VERSION:2.0',
            'PRODID:-//Harbour Dental//EN',
            'BEGIN:VEVENT',
            'UID:8812@harbour-dental.example',
            'DTSTAMP:20260519T073100Z',
            'DTSTART:20260609T083000Z',
            'DTEND:20260609T091500Z',
            'SUMMARY:Root canal with Dr Lindqvist',
            'LOCATION:Harbour Dental\\, 2nd floor',
            'END:VEVENT',
            'END:VCALENDAR',
          ),
        },
      ],
    },
    {
      name: 'boarding-pass',
      date: '2026-06-11T05:55:00Z',
      from: 'Northern Skies <checkin@northern-skies.example>',
      subject: 'You are checked in',
      text: lines('Have a good flight. Your boarding pass is attached.'),
      attachments: [
        {
          filename: 'boarding-pass.pdf',
          content: await convert(
            textDocument([
              [
                'Boarding pass',
                'ASH/ROBIN MX',
                'NS 1304 Leeds to Aberdeen, 12 June 2026',
                'Seat 14C, gate 7 closes at 18:40',
              ],
            ]),
            'pdf',
          ),
        },
      ],
    },
    {
      name: 'heat-pumps',
      date: '2026-06-23T14:12:00Z',
      from: 'Yusuf Demir <yusuf@green-harbour.example>',
      subject: 'Slides for Thursday',
      text: lines('A draft. The last slide needs better numbers.', '', 'Yusuf'),
      attachments: [
        {
          filename: 'heat-pumps.pptx',
          content: await convert(
            slides([
              ['Heat pumps for Harbour Court', 'Green Harbour, June 2026'],
              ['Noise', '35 decibels at three metres'],
              ['Costs', 'The payback period is eleven years without a grant'],
            ]),
            'pptx',
          ),
        },
      ],
    },
    {
      name: 'electrician',
      date: '2026-07-08T17:26:00Z',
      from: 'Robin Ash <robin@ash-family.example>',
      subject: 'The man who did the wiring',
      text: lines('His card is attached. He only answers before eight.', '', 'Robin'),
      attachments: [
        {
          filename: 'contact.vcf',
          contentType: 'text/vcard; charset=utf-8',
          content: crlf(
            'BEGIN:VCARD',
            'VERSION:4.0',
            'FN:Kasimir Nowak',
            'TITLE:Electrician',
            'TEL;TYPE=cell:+44 7700 900461',
            'END:VCARD',
          ),
        },
      ],
    },
    {
      name: 'meter-readings',
      date: '2026-08-03T06:45:00Z',
      from: 'Moorland Energy <readings@moorland-energy.example>',
      subject: 'Your readings of the last quarter',
      text: lines('The readings that we have on file are attached. Tell us if one is wrong.'),
      attachments: [
        {
          filename: 'readings.csv',
          contentType: 'text/csv; charset=utf-8',
          content: lines('meter;date;kWh', '71450/36214;2026-05-01;18204', '71450/36214;2026-08-01;18611'),
        },
      ],
    },
    {
      name: 'boiler-complaint',
      date: '2026-09-14T12:09:00Z',
      from: 'Priya Nair <office@whitby-lettings.example>',
      subject: 'Fwd: no hot water',
      text: lines('This is what we wrote to the manufacturer.', '', 'Priya'),
      attachments: [
        {
          filename: 'no-hot-water.eml',
          contentType: 'message/rfc822',
          content: crlf(
            'From: Whitby Lettings <office@whitby-lettings.example>',
            'To: Calder Boilers <service@calder.example>',
            'Subject: no hot water',
            'Date: Thu, 10 Sep 2026 09:00:00 +0000',
            'MIME-Version: 1.0',
            'Content-Type: text/plain; charset=utf-8',
            '',
            'The boiler with the serial number HX-88120 loses pressure. The valve was changed twice.',
          ),
        },
      ],
    },
    {
      name: 'roof-offer',
      date: '2026-10-02T15:50:00Z',
      from: 'Hamish Reid <hamish@reid-roofing.example>',
      subject: 'Our offer',
      text: lines('Please see our offer. It is valid until the end of November.', '', 'Hamish Reid'),
      attachments: [
        {
          filename: 'winmail.dat',
          contentType: 'application/ms-tnef',
          content: winmail({
            'offer.pdf': await convert(
              textDocument([
                [
                  'Offer 2026/118',
                  'New slates for the roof of 12 Harbour Street, with scaffold: 7,450 pounds.',
                ],
              ]),
              'pdf',
            ),
          }),
        },
      ],
    },
    {
      name: 'washing-machine',
      date: '2026-10-27T18:33:00Z',
      from: 'Robin Ash <robin@ash-family.example>',
      subject: 'Found it in the drawer',
      text: lines('I scanned it, so that we have it when the machine breaks.', '', 'Robin'),
      attachments: [
        {
          filename: 'scan-0031.png',
          content: await scan(
            textDocument([
              [
                'Brightwater Appliances',
                'Washing machine WM 700, bought on 12 December 2024.',
                'The guarantee covers motor and drum for five years.',
              ],
            ]),
          ),
        },
      ],
    },
  ];
}
