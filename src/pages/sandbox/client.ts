/** A form is sent once: its button says that it is under way, and takes no second press. */
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
// Back out of the browser's memory, the buttons work again.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
