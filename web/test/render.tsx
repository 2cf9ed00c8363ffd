import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { createQueryClient } from '../src/api/query-client';
import { theme } from '../src/app/theme';
import '../src/i18n';

/** Renders a part of the page as it stands in it, with an empty cache. */
export function renderPart(part: ReactNode): RenderResult {
  const client = createQueryClient({ onSessionOver: () => undefined });
  // What it still asks for would reach the next test.
  onTestFinished(() => client.clear());
  return render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={client}>{part}</QueryClientProvider>
    </MantineProvider>,
  );
}
