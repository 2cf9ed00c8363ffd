import { Box } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** A QR code, made by the page. Black on white in both schemes: scanners expect it. */
export function QrCode({ text, label }: QrCodeProps): ReactNode {
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void import('uqr').then(({ renderSVG }) => {
      if (isCurrent) setSvg(renderSVG(text, { border: 2 }));
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return (
    <Box w={200} h={200}>
      {svg !== null && (
        <img
          alt={label}
          width={200}
          height={200}
          src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
          style={{ borderRadius: 8 }}
        />
      )}
    </Box>
  );
}
