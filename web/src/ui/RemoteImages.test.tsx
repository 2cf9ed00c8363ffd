import { screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPart } from '../../test/render';
import { RemoteImages, type MailWithImages } from './RemoteImages';
import { loadTexts } from '../i18n/texts';

const said = (shown: number, failed: number): string | null => {
  const loaded = { remoteImagesShown: shown, remoteImagesFailed: failed } as MailWithImages;
  const mail = { remoteImages: shown + failed, remoteImageHosts: ['img.example'] };
  renderPart(
    <RemoteImages mail={mail} loaded={loaded} isLoading={false} error={null} onLoad={() => undefined} />,
  );
  return screen.getByRole('status').textContent;
};

describe('RemoteImages', () => {
  beforeAll(() => loadTexts('mailFacts'));

  it.each([
    [7, 0, '7 remote images are shown, until you leave this message.'],
    [2, 5, 'Loaded 2 of 7 remote images. The rest could not be loaded.'],
    [0, 7, 'None of the 7 remote images could be loaded.'],
    [0, 1, 'The remote image could not be loaded.'],
  ])('should describe %i shown and %i failed: %s', (shown, failed, text) => {
    expect(said(shown, failed)).toBe(text);
  });
});
