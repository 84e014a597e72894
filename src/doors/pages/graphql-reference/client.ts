// GraphiQL opens the pane that it finds in the browser's storage.
localStorage.setItem('graphiql:visiblePlugin', 'Documentation Explorer');

const viewer = document.createElement('script');
viewer.src = document.querySelector<HTMLMetaElement>('meta[property="viewer"]')?.content ?? '';
document.head.append(viewer);
