import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './app/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { showPreferredLanguage } from './i18n/language';

const render = (): void =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

showPreferredLanguage().then(render, (error: unknown) => {
  // English is there in any case.
  console.info('The texts of the language cannot be loaded', error);
  render();
});
