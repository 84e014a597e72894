/** Prevents a form from being sent twice: disables its button and shows progress. */
document.documentElement.classList.add('js');
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (document.body.dataset.sent) return event.preventDefault();
    document.body.dataset.sent = 'true';
    const { submitter } = event;
    submitter?.setAttribute('aria-disabled', 'true');
    if (submitter?.classList.contains('button')) {
      const spinner = Object.assign(document.createElement('span'), { className: 'spinner' });
      spinner.setAttribute('aria-hidden', 'true');
      submitter.prepend(spinner);
    }
  });
}
// Re-enables the buttons when the page returns from the back/forward cache.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
